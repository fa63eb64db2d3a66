import { developers } from './dialogs/developer-dialogs.ts'
import { money } from './dialogs/money-dialogs.ts'
import { notes } from './dialogs/note-dialogs.ts'
import { people } from './dialogs/people-dialogs.ts'
import { shell } from './dialogs/shell-dialogs.ts'
import { staff } from './dialogs/staff-dialogs.ts'
import { system } from './dialogs/system-dialogs.ts'
import { tags } from './dialogs/tag-dialogs.ts'
import type { DialogPage } from './open-dialog.ts'

/** Every dialog, pop-up and list of the console. */
export const dialogPages: readonly DialogPage[] = [
  ...system,
  ...developers,
  ...staff,
  ...people,
  ...money,
  ...notes,
  ...tags,
  shell,
]
