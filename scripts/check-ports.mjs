import { createServer } from 'node:net'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {object} WantedPort
 * @property {string} what who is going to listen there
 * @property {string} setting the setting that moves it
 * @property {string} host
 * @property {number} port
 */

/**
 * Refuses before anything is started, with a line for each port that is taken.
 * @param {readonly WantedPort[]} wanted
 */
export async function checkPorts(wanted) {
  const problems = []
  for (const [index, { what, setting, host, port }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((earlier) => earlier.port === port)
    if (twin !== undefined) {
      problems.push(
        `Port ${port} is asked for twice: ${twin.setting} (${twin.what}) and ${setting} (${what}).`,
      )
      continue
    }
    const reason = await whyNot(host, port)
    if (reason === 'EADDRINUSE') {
      problems.push(
        `Port ${port} (${what}) is in use on ${host}: stop what uses it, or set ${setting} to a free port.`,
      )
    } else if (reason !== null) {
      problems.push(
        `Port ${port} (${what}) cannot be opened on ${host} (${reason}): set ${setting} or the host to something else.`,
      )
    }
  }
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
}

/** @param {string} host @param {number} port @returns {Promise<string | null>} */
function whyNot(host, port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)))
  })
}
