import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './cluster.ts'

// A piece of the log is named by its timeline and its place in the log: 8 and 16 hexadecimal digits.
const pieceName = /^([0-9A-F]{8})([0-9A-F]{16})$/
const historyName = /^([0-9A-F]{8})\.history$/

/** How many bytes of archived log a base backup has to be rolled forward through. */
export function logBytesSince(logFolder: string, clusterCopy: string): number {
  const first = firstPieceOf(clusterCopy)
  return piecesIn(logFolder)
    .filter((name) => name.slice(8) >= first.slice(8))
    .reduce((sum, name) => sum + statSync(join(logFolder, name)).size, 0)
}

/** The piece of the log that the recovery of this copy begins with. */
export function firstPieceOf(clusterCopy: string): string {
  const label = join(clusterCopy, 'backup_label')
  const text = existsSync(label) ? readFileSync(label, 'utf8') : ''
  const [, piece] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(text) ?? []
  if (piece === undefined) throw new EmbeddedPostgresError(`${label} does not say where the backup begins`)
  return piece
}

/**
 * The last piece that a recovery must come to: of the newest timeline. Null where that timeline has none yet, and so
 * nobody can say where on an earlier one the recovery ends.
 */
export function lastPieceIn(logFolder: string): string | null {
  const pieces = piecesIn(logFolder)
  const histories = listed(logFolder).flatMap((name) => historyName.exec(name)?.[1] ?? [])
  const newest = [...histories, ...pieces.map((name) => name.slice(0, 8))].sort().at(-1)
  return pieces.findLast((name) => name.slice(0, 8) === newest) ?? null
}

const listed = (logFolder: string): string[] => (existsSync(logFolder) ? readdirSync(logFolder) : [])

/** The archived pieces, by timeline and place. */
export const piecesIn = (logFolder: string): string[] =>
  listed(logFolder)
    .filter((name) => pieceName.test(name))
    .sort()

const pieceBytes = 16 * 1024 * 1024

/**
 * Whether a recovery that replayed up to this position (as `X/Y`) came to the end of this piece's place in the log.
 * A position is the byte after the last record, so a piece that was read whole gives the first byte of the next one.
 */
export function cameTo(position: string, piece: string): boolean {
  const [high = '', low = ''] = position.split('/')
  const replayed = BigInt(`0x${high.padStart(8, '0')}${low.padStart(8, '0')}`) - 1n
  const wanted =
    BigInt(`0x${piece.slice(8, 16)}`) * 0x1_0000_0000n + BigInt(`0x${piece.slice(16)}`) * BigInt(pieceBytes)
  return replayed >= wanted
}
