import type { DiagnosisChange, DiagnosisDesk } from '@meridian/contracts'

type Names = ReadonlyMap<string, string>

/** What body parts are called where these changes were made: as the changes leave them, else as the desk has them. */
export function partNames(desk: DiagnosisDesk | undefined, changes: readonly DiagnosisChange[]): Names {
  const known = [desk?.published.content, desk?.draft?.content].flatMap(
    (content) => content?.body_parts ?? [],
  )
  const changed = changes
    .filter(({ what }) => what === 'body_part')
    .flatMap(({ code, fields }) =>
      fields.filter(({ name }) => name === 'name').map(({ after }) => ({ code, name: after })),
    )
  return new Map([...known, ...changed].map(({ code, name }) => [code, name]))
}
