import { claimPort } from '../../src/ports.ts'

// Tells whether it can have this port.
const port = Number(process.argv[2])
console.log(await claimPort(port).then(() => 'claimed', String))
