import Foundation

/* Prints what the package makes of a file of test vectors, of `fields` or of `queue`, as JSON. */

let file = CommandLine.arguments[2]
print(CommandLine.arguments[1] == "fields" ? try seenOfFields(file) : try await seenOfQueue(file))
