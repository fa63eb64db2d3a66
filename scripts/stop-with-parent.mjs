// Loaded into every program that a command starts: when that command is killed outright, the channel to it
// closes, and the program stops as if it had been asked to.
if (process.channel !== undefined) {
  process.channel.unref()
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
