import TaskKit

extension Lane {
  nonisolated static let popups = Lane("popups")
}

// The compiler's own words; the last one follows from the first.
@EventTask(event: .didFinishLaunching, lane: .popusp)  // error: type 'Lane?' has no member 'popusp'
enum ShowUpgradeNotice {  // generated error: type 'ShowUpgradeNotice' has no member 'registration'
  static func run() {}
}

func showAdvert(_ center: TaskCenter) {
  center.lane(.popusp).enqueue("advert") {}  // error: type 'Lane' has no member 'popusp'
}
