import { interruption } from './interruption.mjs'

const terminal = process.stderr.isTTY === true
const [green, red, dim, bold, reset] = terminal
  ? ['\u001b[32m', '\u001b[31m', '\u001b[2m', '\u001b[1m', '\u001b[0m']
  : ['', '', '', '', '']
const patienceMs = 15_000

/** @param {number} sinceMs */
const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`

/** @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/** @param {string} text */
export function headline(text) {
  say(`\n${bold}── ${text} ${'─'.repeat(Math.max(2, 72 - text.length))}${reset}`)
}

/**
 * Says what is being done for how long: a line that counts in a terminal, a sign of life every fifteen
 * seconds elsewhere.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  interruption.throwIfAborted()
  const startedAt = performance.now()
  const stopTicking = tick(title, startedAt)
  try {
    const result = await work()
    stopTicking()
    say(`${green}✔${reset} ${title} ${dim}(${seconds(startedAt)})${reset}`)
    return result
  } catch (error) {
    stopTicking()
    say(`${interruption.aborted ? '·' : `${red}✖`}${reset} ${title} ${dim}(${seconds(startedAt)})${reset}`)
    throw error
  }
}

/**
 * @param {string} title
 * @param {number} startedAt
 */
function tick(title, startedAt) {
  const write = terminal
    ? () =>
        process.stderr.write(
          `\r\u001b[K${dim}… ${title} (${Math.floor((performance.now() - startedAt) / 1000)} s)${reset}`,
        )
    : () => say(`… ${title} (${seconds(startedAt)})`)
  if (terminal) write()
  else say(`… ${title}`)
  const timer = setInterval(write, terminal ? 1_000 : patienceMs)
  return () => {
    clearInterval(timer)
    if (terminal) process.stderr.write('\r\u001b[K')
  }
}
