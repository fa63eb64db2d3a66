// A test run that is never asked to clean up.
import { startThrowawayServer } from '../../src/start-throwaway-server.ts'

const { databaseUrl } = await startThrowawayServer()
console.log(JSON.stringify({ databaseUrl, startedHere: true }))
process.stdin.resume()
