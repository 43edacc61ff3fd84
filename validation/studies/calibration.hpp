// isthmus calibrate: P-LogP parameters of a platform's classes of links, measured in one of the worlds.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/measuring/calibration.hpp"
#include "emulator/protocol/options.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

struct CalibrationRequest {
  std::string platform_file;  ///< what `network` was read from
  Network network;
  Source world = Source::smpi;     ///< or emulated
  int members = 3;                 ///< pairs of each class, the one measured in full among them
  double member_tolerance = 0.05;  ///< relative, between members of a class
  bool fit = false;                ///< also from whole collectives
  MeasuringTask settings;          ///< its pairs are not read
  EmulationOptions emulation;      ///< its timeout holds for SMPI too
  std::function<void(const std::string&)> progress;
};

/// P-LogP of one class as Pjesivac-Grbovic 2005, section 6.1, fits it: from the flat barrier, whose time grows by g(0)
/// with each rank, and from the unsegmented chain broadcast, (P - 1) (L + g(m)).
struct FittedClass {
  int ranks = 0;
  double latency_s = 0;
  std::vector<std::pair<std::int64_t, double>> gap_s;  ///< by bytes
};

struct CalibratedClass {
  RouteClass routes;
  MeasuredPair measured;             ///< of the first pair
  std::vector<double> disagreement;  ///< of the others with it
};

struct Calibration {
  Network network;  ///< with the measured classes
  Source world = Source::smpi;
  std::vector<CalibratedClass> classes;
  std::optional<FittedClass> fit;  ///< of the innermost class
};

/// The task and the hosts of its ranks, for users who start the measuring program themselves.
struct CalibrationSetup {
  MeasuringTask task;
  Placement placement;
  std::vector<RouteClass> classes;
};
CalibrationSetup calibration_setup(const CalibrationRequest& request);

/// Throws Refused when members of a class differ by more than the tolerance (it names them) or a measurement is too
/// noisy; BadInput and Missing as the simulation and the emulation do.
Calibration calibrate(const CalibrationRequest& request);
/// The same from pairs that were measured elsewhere, in the order of calibration_setup().
Calibration calibration_from(const CalibrationRequest& request, const CalibrationSetup& setup,
                             const std::vector<MeasuredPair>& pairs);

/// The network as JSON. Its `calibration` holds, for each class, the pairs measured, confidence intervals, and the
/// derived parameters of Hockney, LogP and LogGP.
nlohmann::json to_json(const Calibration& calibration);

/// A <config> element with which SMPI's own model gives the measured times on the routes of one class: factors on the
/// platform's latency and bandwidth, and overheads. SMPI has one set of them, so they fit the given class only.
std::string smpi_config(const CalibrationRequest& request, const Calibration& calibration, const std::string& of_class);

}  // namespace isthmus
