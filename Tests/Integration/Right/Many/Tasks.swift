// More tasks than one function of the generated file registers.
import TaskKit

@EventTask(event: .didFinishLaunching)
enum Task0 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task0.self])
enum Task1 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task1.self])
enum Task2 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task2.self])
enum Task3 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task3.self])
enum Task4 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task4.self])
enum Task5 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task5.self])
enum Task6 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task6.self])
enum Task7 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task7.self])
enum Task8 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task8.self])
enum Task9 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task9.self])
enum Task10 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task10.self])
enum Task11 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task11.self])
enum Task12 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task12.self])
enum Task13 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task13.self])
enum Task14 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task14.self])
enum Task15 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task15.self])
enum Task16 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task16.self])
enum Task17 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task17.self])
enum Task18 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task18.self])
enum Task19 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task19.self])
enum Task20 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task20.self])
enum Task21 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task21.self])
enum Task22 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task22.self])
enum Task23 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task23.self])
enum Task24 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task24.self])
enum Task25 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task25.self])
enum Task26 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task26.self])
enum Task27 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task27.self])
enum Task28 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task28.self])
enum Task29 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task29.self])
enum Task30 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task30.self])
enum Task31 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task31.self])
enum Task32 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task32.self])
enum Task33 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task33.self])
enum Task34 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task34.self])
enum Task35 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task35.self])
enum Task36 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task36.self])
enum Task37 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task37.self])
enum Task38 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task38.self])
enum Task39 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task39.self])
enum Task40 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task40.self])
enum Task41 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task41.self])
enum Task42 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task42.self])
enum Task43 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task43.self])
enum Task44 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task44.self])
enum Task45 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task45.self])
enum Task46 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task46.self])
enum Task47 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task47.self])
enum Task48 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task48.self])
enum Task49 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task49.self])
enum Task50 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task50.self])
enum Task51 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task51.self])
enum Task52 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task52.self])
enum Task53 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task53.self])
enum Task54 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task54.self])
enum Task55 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task55.self])
enum Task56 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task56.self])
enum Task57 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task57.self])
enum Task58 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task58.self])
enum Task59 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task59.self])
enum Task60 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task60.self])
enum Task61 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task61.self])
enum Task62 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task62.self])
enum Task63 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task63.self])
enum Task64 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task64.self])
enum Task65 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task65.self])
enum Task66 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task66.self])
enum Task67 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task67.self])
enum Task68 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task68.self])
enum Task69 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task69.self])
enum Task70 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task70.self])
enum Task71 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task71.self])
enum Task72 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task72.self])
enum Task73 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task73.self])
enum Task74 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task74.self])
enum Task75 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task75.self])
enum Task76 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task76.self])
enum Task77 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task77.self])
enum Task78 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task78.self])
enum Task79 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task79.self])
enum Task80 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task80.self])
enum Task81 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task81.self])
enum Task82 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task82.self])
enum Task83 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task83.self])
enum Task84 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task84.self])
enum Task85 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task85.self])
enum Task86 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task86.self])
enum Task87 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task87.self])
enum Task88 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task88.self])
enum Task89 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task89.self])
enum Task90 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task90.self])
enum Task91 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task91.self])
enum Task92 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task92.self])
enum Task93 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task93.self])
enum Task94 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task94.self])
enum Task95 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task95.self])
enum Task96 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task96.self])
enum Task97 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task97.self])
enum Task98 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task98.self])
enum Task99 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task99.self])
enum Task100 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task100.self])
enum Task101 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task101.self])
enum Task102 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task102.self])
enum Task103 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task103.self])
enum Task104 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task104.self])
enum Task105 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task105.self])
enum Task106 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task106.self])
enum Task107 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task107.self])
enum Task108 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task108.self])
enum Task109 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task109.self])
enum Task110 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task110.self])
enum Task111 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task111.self])
enum Task112 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task112.self])
enum Task113 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task113.self])
enum Task114 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task114.self])
enum Task115 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task115.self])
enum Task116 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task116.self])
enum Task117 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task117.self])
enum Task118 {
  static func run() {}
}

@EventTask(event: .didFinishLaunching, dependencies: [Task118.self])
enum Task119 {
  static func run() {}
}
