// settings: none
import All
import Foundation
import Main5
import Main6
import Plain5
import TaskKit

let center = TaskCenter(registry: .generated, configuration: .init(maximumConcurrency: 1))
let report = await center.send(.didBecomeActive)
print(report.isSuccess, report.tasks.count, report.modules.count)
print(await center.send(.openURL, OpenURLRequest(URL(string: "x:")!)).reply(to: .openURL) ?? false)
print(await center.send(.didEnterBackground).isSuccess)

// prints: All shows
// prints: Main5 shows
// prints: Main6 shows
// prints: Plain5 shows
// prints: true 16 12
// prints: true
// prints: true
