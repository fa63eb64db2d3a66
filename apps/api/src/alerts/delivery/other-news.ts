import { type Pool, Prisma } from '@meridian/db'
import { keptSinceSql } from '../../platform/time/business-time.ts'

const { sql } = Prisma

/** What a channel is told beside alerts, in the words of whoever finds it. */
export type OtherNews = {
  /** What it is told by once, and once more when it is over. */
  news: string
  overAt: Date | null
  /** A message of its own for people, in both languages. */
  text: readonly string[]
  /** Its line among others in one message. */
  line: string
  /** The page of the console that it leads to. */
  path: string
  /** What programs are told. */
  json: Record<string, unknown>
}

/** Finds what a channel has not been told of something that is no alert. */
export type NewsSource = (pool: Pool, channelId: string) => Promise<OtherNews[]>

/** What the channel `channel` was told of it, as a relation to be joined: no row where it was told nothing. */
export const toldNewsSql = (news: Prisma.Sql, channelId: string): Prisma.Sql =>
  sql`news_deliveries told ON told.channel_id = ${channelId} AND told.news = ${news}`

type Told = { channelId: string; others: readonly OtherNews[] }

const rowsSql = (others: readonly OtherNews[]): Prisma.Sql => sql`
  unnest(${others.map(({ news }) => news)}::text[], ${others.map(({ overAt }) => overAt !== null)}::boolean[]) AS given (news, over)`

/** Keeps that the channel took them: none of it is told again. */
export const recordTakenSql = ({ channelId, others }: Told): Prisma.Sql => sql`
  INSERT INTO news_deliveries AS known (channel_id, news, told_at, over_told_at, attempts)
  SELECT ${channelId}, news, business_now(), CASE WHEN over THEN business_now() END, 1 FROM ${rowsSql(others)}
  ON CONFLICT (channel_id, news) DO UPDATE SET told_at = coalesce(known.told_at, excluded.told_at),
    over_told_at = coalesce(known.over_told_at, excluded.over_told_at), attempts = 0, last_error = NULL`

/** Keeps that the channel refused them, and why. */
export const recordRefusedSql = ({ channelId, others }: Told, refusal: string | null): Prisma.Sql => sql`
  INSERT INTO news_deliveries AS known (channel_id, news, attempts, last_error)
  SELECT ${channelId}, news, 1, ${refusal} FROM ${rowsSql(others)}
  ON CONFLICT (channel_id, news) DO UPDATE SET attempts = known.attempts + 1, last_error = excluded.last_error`

/** What was told to its end long ago, at most so much at once. */
export const purgeNewsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM news_deliveries WHERE (channel_id, news) IN (
    SELECT channel_id, news FROM news_deliveries WHERE over_told_at < ${keptSinceSql('alert_messages')} LIMIT ${limit})
  RETURNING 1 AS gone`
