'use client'

import type { Permission } from '@meridian/contracts'
import type { ReactNode } from 'react'
import type { Forbidden } from '../../session/operator-context.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { ActButton } from './act-button.tsx'
import type { Confirmation } from './confirm-dialog.tsx'
import { type ActDefinition, useAct } from './use-act.ts'

type Words = { label: string; hint: string }

/** What the button of an act shows and what guards it, in the words of its noun. */
type Button<Translator> = { icon: IconName } & (
  | { permission: Permission; words: (t: Translator) => Words & { forbidden: (who: Forbidden) => string } }
  | { permission?: never; words: (t: Translator) => Words }
)

/** What differs from place to place. */
type Placed = { quiet?: boolean; obstacle?: string | null }

type Worded<Translator> = Button<Translator> & { useWords: () => Translator }
type Direct<Translator, Input, Output> = {
  act: (t: Translator) => ActDefinition<Input, Output>
  /** What is asked before it is done. */
  confirm?: (t: Translator, input: NoInfer<Input>) => Confirmation
}
type Opening<Given> = { dialog: (given: Given, close: () => void) => ReactNode }

/** An act that is done at once: what it is wherever its button stands. */
export const defineAct = <Translator, Input, Output>(
  useWords: () => Translator,
  definition: Button<Translator> & Direct<Translator, Input, Output>,
): Worded<Translator> & Direct<Translator, Input, Output> => ({ ...definition, useWords })

/** An act that asks for more in a dialog: what it is wherever its button stands. */
export const defineDialogAct = <Translator, Given>(
  useWords: () => Translator,
  definition: Button<Translator> & Opening<Given>,
): Worded<Translator> & Opening<Given> => ({ ...definition, useWords })

function useShown<Translator>({ icon, useWords, ...button }: Worded<Translator>) {
  const t = useWords()
  if (button.permission === undefined) return { icon, ...button.words(t) }
  return { icon, permission: button.permission, ...button.words(t) }
}

/** An act that is done at once, and to what. */
export type RowOf<Translator, Input, Output> = {
  of: Worded<Translator> & Direct<Translator, Input, Output>
  input: NoInfer<Input>
}

type DirectActProps<Translator, Input, Output> = Placed & {
  of: Worded<Translator> & Direct<Translator, Input, Output>
  input: Input
}

/** The button of an act that is done at once. */
export function DirectAct<Translator, Input, Output>(props: DirectActProps<Translator, Input, Output>) {
  const { of, ...placed } = props
  const shown = useShown(of)
  const t = of.useWords()
  const act = useAct(of.act(t))
  const confirm = of.confirm?.(t, placed.input)
  return <ActButton {...shown} {...placed} act={act} {...(confirm && { confirm })} />
}

/** An act that opens a dialog. */
export type OpeningOf<Translator, Given> = Worded<Translator> & Opening<Given>

type DialogActProps<Translator, Given> = Placed & Given & { of: OpeningOf<Translator, Given> }

/** The button of an act that opens a dialog; what the dialog is about is given beside it. */
export function DialogAct<Translator, Given>(props: DialogActProps<Translator, Given>) {
  const { of, quiet = false, obstacle = null } = props
  const shown = useShown(of)
  return (
    <ActButton {...shown} quiet={quiet} obstacle={obstacle} dialog={(close) => of.dialog(props, close)} />
  )
}
