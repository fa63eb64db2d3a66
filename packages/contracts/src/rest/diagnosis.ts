import { z } from 'zod'

/** What a program does to a body: withheld, of premium programs, from whom may not run them. */
export const ProgramParameters = z.object({
  waveform: z.string(),
  frequency_hz: z.number(),
  pulse_width_us: z.number(),
  intensity_min: z.number(),
  intensity_max: z.number(),
  intensity_default: z.number(),
  duration_minutes: z.number(),
})

const ProgramHead = z.object({
  code: z.string(),
  name: z.string(),
  body_part: z.string(),
  contraindications: z.array(z.string()),
  premium: z.boolean(),
})

export const BodyPart = z.object({ code: z.string(), name: z.string() })

/** A program as operators write it. */
export const TreatmentProgram = ProgramHead.extend(ProgramParameters.shape)
export type TreatmentProgram = z.infer<typeof TreatmentProgram>

/** What a version of the configuration holds. */
export const DiagnosisContent = z.object({
  body_parts: z.array(BodyPart),
  programs: z.array(TreatmentProgram),
})
export type DiagnosisContent = z.infer<typeof DiagnosisContent>

export const DiagnosisConfig = z.object({
  version: z.int(),
  published_at: z.iso.datetime(),
  body_parts: z.array(BodyPart),
  programs: z.array(ProgramHead.extend({ ...ProgramParameters.partial().shape, locked: z.boolean() })),
})
export type DiagnosisConfig = z.infer<typeof DiagnosisConfig>
