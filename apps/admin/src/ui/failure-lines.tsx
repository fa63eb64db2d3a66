import type { Failure } from './failure-panel.tsx'

/** What went wrong, and each of the places that are wrong, beside what was pressed. */
export function FailureLines({ failure: { title, faults = [] } }: { failure: Failure }) {
  return (
    <>
      {title}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </>
  )
}
