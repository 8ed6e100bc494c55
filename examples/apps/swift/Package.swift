// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "CustomerData",
    // The first with a clock that goes on while the system sleeps.
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "CustomerData", targets: ["CustomerData"])],
    targets: [
        .target(name: "CustomerData"),
        .executableTarget(name: "Example", dependencies: ["CustomerData"]),
    ]
)
