import TaskKitDurable

// error: kind 'upload' is declared by 'Upload' and by 'Mail.Upload'; give one of them another kind
@DurableTask(kind: "upload")
struct Upload: Codable {
  func run() {}
}

enum Mail {
  @DurableTask(kind: "upload", queue: "mail")  // error: kind 'upload' is declared by 'Mail.Upload' and by 'Upload'
  struct Upload: Codable {
    func run() {}
  }
}
