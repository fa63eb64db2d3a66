import { z } from 'zod'
import { BodyPart, TreatmentProgram } from '../rest/diagnosis.ts'
import { WaitingApproval } from './approval.ts'
import { ProgramBounds } from './program-bounds.ts'

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
