// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Lab",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../../../examples/apps/swift")],
    targets: ["Vectors", "Program"].map {
        .executableTarget(name: $0, dependencies: [.product(name: "CustomerData", package: "swift")])
    }
)
