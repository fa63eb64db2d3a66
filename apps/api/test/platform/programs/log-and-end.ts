import { openLog } from '../../../src/platform/log.ts'

/** Says that it is ready; when its input ends, says two things more and ends at once, as a program that was asked to stop. */
const log = openLog('info')
log.info('ready')
process.stdin.resume().once('end', () => {
  log.info('first of the last lines')
  log.info('last line')
  process.exit(0)
})
