// The first file of every command. It must run before anything is installed: plain Node, no dependency.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Meridian needs Node 20.19 or newer; this is ${process.version}.`)
  process.exit(1)
}

const { runNamedCommand } = await import('./commands.mjs')
await runNamedCommand(process.argv[2] ?? 'start', process.argv.slice(3))
