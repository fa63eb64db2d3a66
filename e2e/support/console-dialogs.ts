import { developers } from './dialogs/developer-dialogs.ts'
import { money } from './dialogs/money-dialogs.ts'
import { notes } from './dialogs/note-dialogs.ts'
import { people } from './dialogs/people-dialogs.ts'
import { shell } from './dialogs/shell-dialogs.ts'
import { staff } from './dialogs/staff-dialogs.ts'
import { system } from './dialogs/system-dialogs.ts'
import { tags } from './dialogs/tag-dialogs.ts'
import type { DialogPage } from './open-dialog.ts'

/** Every dialog, pop-up and list of the console, in two parts, so that two can look at them at the same time. */
export const dialogPagesInParts: Record<'first' | 'second', readonly DialogPage[]> = {
  first: [...system, ...developers, ...staff],
  second: [...people, ...money, ...notes, ...tags, shell],
}
