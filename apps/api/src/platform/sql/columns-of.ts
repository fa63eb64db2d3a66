import { type Column, column } from '@meridian/db'
import { z } from 'zod'

const wrappers = [z.ZodNullable, z.ZodOptional, z.ZodReadonly] as const

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const wrapper = wrappers.find((wrapper) => schema instanceof wrapper)
  return wrapper && schema instanceof wrapper ? unwrapped(schema.unwrap()) : schema
}

const ofType =
  (...oids: readonly number[]) =>
  (oid: number) =>
    oids.includes(oid)
/** json and jsonb; and whatever the database made itself, such as an array of an enum. */
const isJson = ofType(114, 3802)
const isOwnType = (oid: number) => oid >= 16_384
const isText = ofType(25, 1043, 2950, 1082)

/** The types of PostgreSQL, by their numbers (`pg_type.oid`), that the driver turns into what a schema of zod takes. */
const fitting: Readonly<Record<string, (oid: number) => boolean>> = {
  string: isText,
  enum: (oid) => isText(oid) || isOwnType(oid),
  literal: (oid) => isText(oid) || isOwnType(oid),
  number: ofType(21, 23, 700, 701),
  bigint: column.bigint.fits,
  boolean: column.boolean.fits,
  date: column.instant.fits,
  array: (oid) => column.texts.fits(oid) || isJson(oid) || isOwnType(oid),
}

type Shape = Readonly<Record<string, z.ZodType>>
type ColumnsOf<Fields extends Shape> = { [Name in keyof Fields]: Column<z.output<Fields[Name]>> }

function columnOf<Value>(schema: z.ZodType<Value>): Column<Value> {
  const { type } = unwrapped(schema)._zod.def
  return {
    type,
    fits: fitting[type] ?? isJson,
    accepts: (value): value is Value => schema.safeParse(value).success,
  }
}

/** The columns of a row that a schema describes already: one for each of its fields, by the field's name. */
export function columnsOf<Fields extends Shape>({ shape }: z.ZodObject<Fields>): ColumnsOf<Fields>
export function columnsOf({ shape }: z.ZodObject<Shape>): ColumnsOf<Shape> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, columnOf(schema)]))
}
