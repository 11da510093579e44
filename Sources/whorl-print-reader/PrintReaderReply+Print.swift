import Fprint
import Wire

extension PrintReaderReply {
  init(print: borrowing Print?) {
    switch print {
    case .some(let print):
      self = .print(
        PrintFacts(
          finger: print.finger, driver: print.driver, device: print.device,
          enrolled: print.enrolled.map {
            PrintFacts.Day(year: $0.year, month: $0.month, day: $0.day)
          }, isDeviceStored: print.isDeviceStored, user: print.user))
    case .none:
      self = .notAPrint
    }
  }
}
