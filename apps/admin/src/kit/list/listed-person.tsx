import { useConsole } from '../../session/operator-context.tsx'
import { Person, type PersonProps } from '../../ui/person.tsx'

/** Somebody in a row of a list. */
export const ListedPerson = (person: PersonProps) => <Person {...person} brief={useConsole().namesRevealed} />
