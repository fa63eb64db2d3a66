import { z } from 'zod'
import { BodyPart, TreatmentProgram } from '../rest/diagnosis.ts'
import { WaitingApproval } from './approval.ts'
import { defaultProgramBounds, namesContraindications, ProgramBounds } from './program-bounds.ts'
import { bodyPartRefusal } from './refused-body-parts.ts'

export const waveforms = ['biphasic', 'biphasic_asymmetric', 'monophasic', 'burst', 'modulated'] as const

/** The scale of the wearable's intensity. */
const intensityBounds = {
  intensity_min: { min: 0, max: 100 },
  intensity_max: { min: 1, max: 100 },
  intensity_default: { min: 0, max: 100 },
} as const
export type ProgramNumber =
  | keyof typeof intensityBounds
  | 'frequency_hz'
  | 'pulse_width_us'
  | 'duration_minutes'

/** What one number of a program may be, whatever the others are. */
export const boundsOfNumber = (key: ProgramNumber, bounds: ProgramBounds): { min: number; max: number } =>
  ({ ...intensityBounds, ...bounds })[key]

export const programNumbers: readonly ProgramNumber[] = [
  'frequency_hz',
  'pulse_width_us',
  'intensity_min',
  'intensity_max',
  'intensity_default',
  'duration_minutes',
]

const Text = z.string().max(200)
const Unfinished = z.number().nullable()

/** A program that is still being written: its numbers may be missing. */
const DraftProgram = TreatmentProgram.extend({
  code: Text,
  name: Text,
  body_part: Text,
  waveform: Text,
  contraindications: z.array(Text).max(20),
  frequency_hz: Unfinished,
  pulse_width_us: Unfinished,
  intensity_min: Unfinished,
  intensity_max: Unfinished,
  intensity_default: Unfinished,
  duration_minutes: Unfinished,
})
export type DraftProgram = z.infer<typeof DraftProgram>

const DraftBodyPart = BodyPart.extend({ code: Text, name: Text })

/** A configuration that is still being written: it may be saved before it is valid. */
export const DiagnosisDraftContent = z.object({
  body_parts: z.array(DraftBodyPart).max(100),
  programs: z.array(DraftProgram).max(500),
})
export type DiagnosisDraftContent = z.infer<typeof DiagnosisDraftContent>

/** The same, for text that a person wrote: a misspelt member is a mistake, not nothing. */
export const WrittenDiagnosis = z.strictObject({
  body_parts: z.array(DraftBodyPart.strict()).max(100),
  programs: z.array(DraftProgram.strict()).max(500),
})

export const DiagnosisFault = z.object({
  /** Where, as `programs.0.intensity_max`. */
  path: z.string(),
  code: z.enum([
    'required',
    'not_a_code',
    'taken',
    'unknown_body_part',
    'unknown_waveform',
    'out_of_bounds',
    'min_above_max',
    'default_outside',
    'default_above_share',
    'too_long_a_pulse',
    'monophasic_bounds',
    'contraindications_missing',
    'body_part_refused',
  ]),
})
export type DiagnosisFault = z.infer<typeof DiagnosisFault>

const isCode = (text: string) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)

type Coded = { code: string; name: string }

function faultsOfNames(items: readonly Coded[], list: string): DiagnosisFault[] {
  return items.flatMap(({ code, name }, place) => {
    const taken = items.findIndex((other) => other.code === code) < place
    const codeFault = isCode(code) ? (taken ? 'taken' : null) : 'not_a_code'
    return [
      ...(codeFault ? [{ path: `${list}.${place}.code`, code: codeFault } as const] : []),
      ...(name.trim() === '' ? [{ path: `${list}.${place}.name`, code: 'required' } as const] : []),
    ]
  })
}

type Judged = { program: DraftProgram; at: string; bounds: ProgramBounds }

function faultsOfNumbers({ program, at, bounds }: Judged): DiagnosisFault[] {
  const single = programNumbers.flatMap((key): DiagnosisFault[] => {
    const value = program[key]
    if (value === null) return [{ path: `${at}.${key}`, code: 'required' }]
    const { min, max } = boundsOfNumber(key, bounds)
    return value < min || value > max ? [{ path: `${at}.${key}`, code: 'out_of_bounds' }] : []
  })
  const { intensity_min: min, intensity_max: max, intensity_default: usual } = program
  if (single.length > 0 || min === null || max === null || usual === null) return single
  if (min >= max) return [{ path: `${at}.intensity_min`, code: 'min_above_max' }]
  if (usual <= min || usual >= max) return [{ path: `${at}.intensity_default`, code: 'default_outside' }]
  return usual * 100 > max * bounds.default_percent_of_max
    ? [{ path: `${at}.intensity_default`, code: 'default_above_share' }]
    : []
}

/** Bounds that hold across parameters. */
function faultsTogether({ program, at, bounds }: Judged): DiagnosisFault[] {
  const { frequency_hz: frequency, pulse_width_us: width, waveform, contraindications } = program
  const { monophasic, frequency_times_pulse_width: most } = bounds
  const known = frequency !== null && width !== null
  const long = known && frequency * width > most
  const tooMuch = waveform === 'monophasic' && known
  return [
    ...(long ? [{ path: `${at}.pulse_width_us`, code: 'too_long_a_pulse' } as const] : []),
    ...(tooMuch && frequency > monophasic.frequency_hz
      ? [{ path: `${at}.frequency_hz`, code: 'monophasic_bounds' } as const]
      : []),
    ...(tooMuch && width > monophasic.pulse_width_us
      ? [{ path: `${at}.pulse_width_us`, code: 'monophasic_bounds' } as const]
      : []),
    ...(namesContraindications(contraindications, bounds)
      ? []
      : [{ path: `${at}.contraindications`, code: 'contraindications_missing' } as const]),
  ]
}

/** Everything that keeps a draft from being published; an empty list lets it be. */
export function validateDiagnosis(
  { body_parts, programs }: DiagnosisDraftContent,
  bounds: ProgramBounds = defaultProgramBounds,
): DiagnosisFault[] {
  const isRefused = bodyPartRefusal(bounds)
  return [
    ...faultsOfNames(body_parts, 'body_parts'),
    ...body_parts.flatMap((part, place): DiagnosisFault[] =>
      isRefused(part) ? [{ path: `body_parts.${place}.code`, code: 'body_part_refused' }] : [],
    ),
    ...faultsOfNames(programs, 'programs'),
    ...programs.flatMap((program, place): DiagnosisFault[] => {
      const at = `programs.${place}`
      const known = body_parts.some(({ code }) => code === program.body_part)
      const wave = waveforms.some((waveform) => waveform === program.waveform)
      return [
        ...(known ? [] : [{ path: `${at}.body_part`, code: 'unknown_body_part' } as const]),
        ...(wave ? [] : [{ path: `${at}.waveform`, code: 'unknown_waveform' } as const]),
        ...faultsOfNumbers({ program, at, bounds }),
        ...faultsTogether({ program, at, bounds }),
      ]
    }),
  ]
}

export const DiagnosisChange = z.object({
  what: z.enum(['body_part', 'program']),
  code: z.string(),
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  fields: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
})
export type DiagnosisChange = z.infer<typeof DiagnosisChange>

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

function fieldsOf(before: object, after: object): DiagnosisChange['fields'] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, before: shown(was.get(name)), after: shown(is.get(name)) }))
    .filter((field) => field.before !== field.after)
}

type What = DiagnosisChange['what']

function changesOf<Item extends Coded>(
  what: What,
  before: readonly Item[],
  after: readonly Item[],
): DiagnosisChange[] {
  const [was, is] = [
    new Map(before.map((one) => [one.code, one])),
    new Map(after.map((one) => [one.code, one])),
  ]
  const order = (items: readonly Item[], others: ReadonlyMap<string, Item>) =>
    items.map(({ code }) => code).filter((code) => others.has(code))
  const [oldOrder, newOrder] = [order(before, is), order(after, was)]
  return [
    ...before
      .filter(({ code }) => !is.has(code))
      .map(({ code }) => ({ what, code, kind: 'removed' as const, fields: [] })),
    ...after.flatMap((item): DiagnosisChange[] => {
      const { code } = item
      const previous = was.get(code)
      if (!previous) return [{ what, code, kind: 'added', fields: fieldsOf({}, item) }]
      const fields = fieldsOf(previous, item)
      if (fields.length > 0) return [{ what, code, kind: 'changed', fields }]
      return oldOrder.indexOf(code) === newOrder.indexOf(code)
        ? []
        : [{ what, code, kind: 'moved', fields: [] }]
    }),
  ]
}

/** What a draft would change, one entry per body part or program. */
export const diffDiagnosis = (
  before: DiagnosisDraftContent,
  after: DiagnosisDraftContent,
): DiagnosisChange[] => [
  ...changesOf('body_part', before.body_parts, after.body_parts),
  ...changesOf('program', before.programs, after.programs),
]

const Version = z.int().positive()

export const DiagnosisVersionHead = z.object({
  version: Version,
  basedOn: Version.nullable(),
  note: z.string().nullable(),
  publishedAt: z.date().nullable(),
  publishedBy: z.string().nullable(),
  programs: z.int(),
})
export type DiagnosisVersionHead = z.infer<typeof DiagnosisVersionHead>

export const DiagnosisDraft = z.object({
  version: Version,
  basedOn: Version.nullable(),
  revision: z.int(),
  note: z.string().nullable(),
  content: DiagnosisDraftContent,
  createdBy: z.string().nullable(),
  updatedAt: z.date(),
})
export type DiagnosisDraft = z.infer<typeof DiagnosisDraft>

export const DiagnosisDesk = z.object({
  published: DiagnosisVersionHead.extend({ content: DiagnosisDraftContent }),
  draft: DiagnosisDraft.nullable(),
  /** The publication that waits for a second person. */
  waiting: WaitingApproval.nullable(),
  bounds: ProgramBounds,
  /** The published versions, newest first. */
  history: z.array(DiagnosisVersionHead),
})
export type DiagnosisDesk = z.infer<typeof DiagnosisDesk>

export const DiagnosisVersionReference = z.object({ version: Version })
/** The draft as the editor saw it: somebody else's save since then is not overwritten. */
export const DiagnosisDraftReference = z.object({ version: Version, revision: z.int() })
export type DiagnosisDraftReference = z.infer<typeof DiagnosisDraftReference>
export const DiagnosisDraftSave = DiagnosisDraftReference.extend({
  content: DiagnosisDraftContent,
  note: z.string().trim().max(500).nullable(),
})
export type DiagnosisDraftSave = z.infer<typeof DiagnosisDraftSave>
