import { notFound } from 'next/navigation'
import type { z } from 'zod'

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // No address of ours: it is then refused as it stands.
    return text
  }
}

/** What a route's parameters name; what cannot be the name of anything is not found. */
export async function referenceOf<Reference extends z.ZodType>(
  schema: Reference,
  params: Promise<Record<string, string>>,
): Promise<z.output<Reference>> {
  const named = Object.entries(await params).map(([key, value]) => [key, decoded(value)])
  const reference = schema.safeParse(Object.fromEntries(named))
  return reference.success ? reference.data : notFound()
}
