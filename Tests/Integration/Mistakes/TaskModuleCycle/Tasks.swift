import TaskKit

// error: these modules wait for each other: 'App.First' needs 'App.Second', 'App.Second' needs 'App.First'
@TaskModule(dependencies: [Second.self])
actor First {}

@TaskModule(dependencies: [First.self])  // note: 'App.Second' needs 'App.First' here
actor Second {}

@TaskModule(dependencies: [Settings.self])  // error: module 'App.Third' needs 'Settings', which is a type but no module
actor Third {}

struct Settings {}  // note: 'Settings' is declared here
