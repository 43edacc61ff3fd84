// What the ranks of a discovery do for rank 0: orders, and the results that they send back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "algorithms/measuring/line_rate.hpp"
#include "algorithms/mpi/executor/clock.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/process/datagram_socket.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// One rank's part of a measurement that several ranks make at once.
struct ProbeOrder {
  enum class Kind : std::int64_t {
    end,               ///< the text of the result follows
    trip,              ///< `repetitions` round trips to `peer` with `bytes` there and an empty answer
    answer,            ///< the other side of it
    growth,            ///< growing_rate_Bps() to `peer`, of messages of at most `bytes`
    growth_answer,     ///< the other side of it
    streams,           ///< those that leave and those that arrive here
    trains,            ///< line_rate() from `peer`; with 0 repetitions only whether datagrams come from there
    train_answer,      ///< the other side of it
    datagram_streams,  ///< as `streams`, but of datagrams; `repetitions` is the number of the test
  };
  struct Part {
    std::int64_t peer = 0, bytes = 0, messages = 0;
    std::int64_t number = 0;  ///< of the stream, the same on both sides
    double delay_s = 0;       ///< from the order to the first message
    double rate_Bps = 0;      ///< of datagrams
  };
  Kind kind = Kind::end;
  std::int64_t peer = 0, bytes = 0, repetitions = 0;
  double window_s = 0;              ///< see PairProber::streams_Bps
  double patience_s = 0;            ///< without a datagram, after which no more is expected
  double message_Bps = 0;           ///< see line_rate()
  std::vector<Part> leave, arrive;  ///< streams
};

/// Carries orders and results between rank 0 and the others, and executes orders. Everything is a message between two
/// ranks, so that a rank that does not take part stops nobody else.
class ProbeParty {
 public:
  /// `answer_s` 0: any time.
  ProbeParty(MPI_Comm comm, const Clock& clock, double answer_s);

  int rank() const { return rank_; }
  int size() const { return size_; }
  double now_s() const { return clock_.now_s(); }

  void send_order(const ProbeOrder& order, int to);
  ProbeOrder receive_order();
  /// Of trips: the seconds of the quickest and of the quickest send, the instant at which the quickest trip started,
  /// its number, and whether another one took as long. Of answers: the instants at which messages arrived. Of growth:
  /// the rate, in bytes per second. Of streams: the rates of those that arrive. Of trains: the rate, and the numbers
  /// of frames sent and lost; of their answers: the sender's rate; no values where there are no datagrams. Not a number
  /// for what a peer did not do in time.
  std::vector<double> execute(const ProbeOrder& order);
  void send_result(const std::vector<double>& values);
  /// The values of these ranks, which have had their orders since an instant. A rank that gives no sign of life for
  /// `answer_s` is missing; ranks that execute an order give signs.
  std::map<int, std::vector<double>> receive_results(const std::set<int>& from, double since_s);
  void send_text(const std::string& text, int to);
  /// False when it does not come within so many seconds; 0: any time.
  bool receive_text(int from, std::string& text, double patience_s);

 private:
  static constexpr double not_done = std::numeric_limits<double>::quiet_NaN();

  bool wait(MPI_Request& request, double patience_s, MPI_Status* status = MPI_STATUS_IGNORE);
  /// At most as many as fit; `into` gets the size of what came.
  bool receive_bytes(int from, int tag, double patience_s, std::vector<std::byte>& into);
  bool receive_numbers(int from, int tag, double patience_s, std::vector<double>& into);
  bool send(int peer, int tag, std::int64_t bytes);
  /// At most `bytes`; the number that came, or nothing.
  std::optional<std::int64_t> receive(int peer, int tag, std::int64_t bytes);
  /// A sign of life to rank 0 if the last one is some time ago.
  void give_sign();
  void post(const void* data, std::size_t bytes, int to, int tag);
  std::vector<double> quickest_trip(const ProbeOrder& order);
  std::vector<double> answer(const ProbeOrder& order);
  std::vector<double> growing_rate(const ProbeOrder& order);
  std::vector<double> answer_growth(const ProbeOrder& order);
  std::vector<double> stream_rates(const ProbeOrder& order);
  /// Bytes per second that arrive in the window of a stream, of which pieces of so many bytes arrived at these
  /// instants.
  static double rate_in_window(const std::vector<double>& instants, double bytes, double first_s, double window_s);

  // ---- datagrams
  DatagramSocket* datagrams();
  std::vector<double> measure_trains(const ProbeOrder& order);
  std::vector<double> send_trains(const ProbeOrder& order);
  std::vector<double> datagram_rates(const ProbeOrder& order);
  /// Asks a peer for a train to one of this host's addresses, and waits for it.
  FrameTrain receive_train(int peer, std::uint32_t address, int frames, double patience_s);

  std::byte* buffer(std::int64_t bytes);

  MPI_Comm comm_;
  const Clock& clock_;
  double answer_s_;
  int rank_ = 0, size_ = 0;
  bool gives_signs_ = false;
  double last_sign_s_ = 0;
  std::vector<std::byte> buffer_;

  struct KnownReceiver {
    DatagramAddress address;
    std::uint64_t receiver = 0;
  };
  std::optional<DatagramSocket> socket_;
  bool has_no_socket_ = false;
  std::uint32_t trains_ = 0;                      // received
  std::map<int, std::uint32_t> address_seen_by_;  // by peer: this host's address at which its datagrams arrive
  std::map<int, KnownReceiver> receivers_;        // by peer: where datagrams to it arrive
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
