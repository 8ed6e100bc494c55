import Foundation

/* Prints what the package makes of the vectors of `fields` or of `queue` in a folder, or which `rules` hold, as JSON. */

let folder = CommandLine.arguments[2]
switch CommandLine.arguments[1] {
case "fields": print(try seenOfFields("\(folder)/fields.json"))
case "queue": print(try await seenOfQueue("\(folder)/queue.json"))
default: print(try await heldRules("\(folder)/queue.json"))
}
