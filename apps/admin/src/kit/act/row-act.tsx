import { useState } from 'react'
import { useForbidden } from '../../session/operator-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { OpeningOf, RowOf } from './define-act.tsx'
import { useAct } from './use-act.ts'

/** An act on one row of a list, as a sign; who may not do it sees none, for the page behind the row says why. */
export function RowAct<Translator, Input, Output>({ of, input }: RowOf<Translator, Input, Output>) {
  const t = of.useWords()
  const denied = useForbidden(of.permission ?? null)
  const act = useAct(of.act(t))
  if (denied) return null
  return (
    <IconButton
      label={of.words(t).label}
      aria-disabled={act.busy || undefined}
      onClick={() => act.busy || act.press(input)}
    >
      <Icon name={of.icon} />
    </IconButton>
  )
}

type RowDialogActProps<Translator, Given> = { of: OpeningOf<Translator, Given>; given: NoInfer<Given> }

/** The same for an act that opens a dialog. */
export function RowDialogAct<Translator, Given>({ of, given }: RowDialogActProps<Translator, Given>) {
  const t = of.useWords()
  const [open, setOpen] = useState(false)
  if (useForbidden(of.permission ?? null)) return null
  return (
    <>
      <IconButton label={of.words(t).label} onClick={() => setOpen(true)}>
        <Icon name={of.icon} />
      </IconButton>
      {open && of.dialog(given, () => setOpen(false))}
    </>
  )
}
