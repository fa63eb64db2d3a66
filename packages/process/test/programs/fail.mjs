// Says something, and ends as it was told: by an exit code or by a signal.
const [ending = '1'] = process.argv.slice(2)
console.log('reading the settings')
console.error('SECRET: is required')
if (ending.startsWith('SIG')) process.kill(process.pid, ending)
else process.exitCode = Number(ending)
