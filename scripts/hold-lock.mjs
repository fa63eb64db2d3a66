import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { interruption } from './interruption.mjs'
import { say } from './show-progress.mjs'

const beatMs = 1_000
const abandonedAfterMs = 10_000
const lookEveryMs = 200

/**
 * Does the work while no other command of this checkout does it. The holder touches the lock file every
 * second, so that one left by a killed command is known by its age (process ids are not: they differ between
 * containers and are used again).
 * @template T
 * @param {string} lockFile
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function holdLock(lockFile, work) {
  mkdirSync(dirname(lockFile), { recursive: true })
  const mark = `${process.pid} ${Math.random()}`
  let announced = false
  while (!take(lockFile, mark)) {
    if (!announced) say('… waiting for another command of this checkout that is preparing the same')
    announced = true
    await wait(lookEveryMs, undefined, { signal: interruption })
  }
  const beat = setInterval(() => touch(lockFile), beatMs)
  const release = () => {
    if (read(lockFile) === mark) rmSync(lockFile, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off('exit', release)
    release()
  }
}

/** @param {string} lockFile @param {string} mark */
function take(lockFile, mark) {
  try {
    writeFileSync(lockFile, mark, { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  if (ageMs(lockFile) > abandonedAfterMs) rmSync(lockFile, { force: true })
  return false
}

/** @param {string} lockFile */
function ageMs(lockFile) {
  try {
    return Date.now() - statSync(lockFile).mtimeMs
  } catch {
    return 0
  }
}

/** @param {string} lockFile */
function touch(lockFile) {
  const now = new Date()
  try {
    utimesSync(lockFile, now, now)
  } catch {
    // Somebody has cleaned up .data meanwhile; the work itself goes on.
  }
}

/** @param {string} lockFile */
function read(lockFile) {
  try {
    return readFileSync(lockFile, 'utf8')
  } catch {
    return null
  }
}
