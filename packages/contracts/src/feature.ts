import { z } from 'zod'

/** What a subscription may open. */
export const knownFeatures = ['report_detail', 'manual_treatment'] as const

/** A feature by its slug: also one that only a newer client knows. */
export const Feature = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)

/** Features, each once. */
export const FeatureList = z
  .array(Feature)
  .max(20)
  .refine((features) => new Set(features).size === features.length, 'must not repeat a feature')
