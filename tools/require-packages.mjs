// Runs before the commands of package.json, in a Node that may be too old for the files of this project.
if (!process.features.typescript) {
  process.stderr.write(
    `Node ${process.versions.node} cannot run Meridian by itself: the packages for development are missing, which bring the right Node. ` +
      'Run: npm ci --include=dev\n',
  )
  process.exit(1)
}
