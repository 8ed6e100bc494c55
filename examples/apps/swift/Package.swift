// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "CustomerData",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "CustomerData", targets: ["CustomerData"])],
    targets: [
        .target(name: "CustomerData"),
        .executableTarget(name: "Example", dependencies: ["CustomerData"]),
    ]
)
