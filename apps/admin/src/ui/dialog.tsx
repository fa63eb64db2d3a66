'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, IconButton, unavailable } from './button.tsx'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'

export type DialogProps = {
  /** Names the act and its object. */
  title: string
  lead?: ReactNode
  /** The verb and its object, not "OK". */
  submitLabel: string
  /** Why it cannot be pressed yet. */
  disabledReason?: string | null
  submitting: boolean
  /** Why it was refused. */
  failure: ReactNode
  danger?: boolean
  /** It only tells something: there is nothing to take back, so that its one button ends it. */
  telling?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Shows a dialog as modal for as long as it is rendered, with the focus in it. */
function useModal() {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-autofocus], input, textarea')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return ref
}

/** The way out and the act itself, with why it cannot be done yet; `id` names that reason. */
function Foot({
  submitLabel,
  disabledReason = null,
  submitting,
  danger = false,
  telling = false,
  onClose,
  id,
}: DialogProps & { id: string }) {
  const t = useTranslations('ui')
  return (
    <footer className={styles['foot']}>
      {disabledReason && (
        <span id={id} className={styles['disabledReason']}>
          {disabledReason}
        </span>
      )}
      {!telling && (
        <Button onClick={onClose} disabled={submitting}>
          {t('cancel')}
        </Button>
      )}
      <Button
        look={disabledReason === null ? 'primary' : 'default'}
        style={disabledReason === null ? {} : unavailable}
        type="submit"
        danger={danger && disabledReason === null}
        loading={submitting}
        aria-disabled={disabledReason !== null}
        // The second press of a double click comes before the act is known to be under way.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
        {...(disabledReason && { 'aria-describedby': id })}
      >
        {submitLabel}
      </Button>
    </footer>
  )
}

/**
 * An act that wants a form or a second thought, over the page. It is there as long as it is rendered: the browser's
 * own modal dialog keeps the focus in it, Escape closes it, and the focus goes back where it came from.
 */
export function Dialog(props: DialogProps) {
  const { title, lead, disabledReason = null, submitting, failure, onClose } = props
  const t = useTranslations('ui')
  const ref = useModal()
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!submitting && disabledReason === null) props.onSubmit()
  }
  return (
    <dialog
      ref={ref}
      className={styles['dialog']}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault()
        if (!submitting) onClose()
      }}
    >
      <form className={styles['form']} onSubmit={submit} noValidate>
        <header className={styles['head']}>
          <h2 id={`${id}-title`}>{title}</h2>
          <IconButton label={t('closeDialog')} onClick={onClose} disabled={submitting}>
            <Icon name="close" />
          </IconButton>
        </header>
        <div className={styles['body']}>
          {lead && <div className={styles['lead']}>{lead}</div>}
          {props.children}
          {failure && (
            <Notice tone="bad" role="alert">
              {failure}
            </Notice>
          )}
        </div>
        <Foot {...props} id={`${id}-not-yet`} />
      </form>
    </dialog>
  )
}

/** A dialog that only tells something: its one button ends it. */
export function TellingDialog(
  props: Pick<DialogProps, 'title' | 'lead' | 'submitLabel' | 'onClose' | 'children'>,
) {
  return <Dialog {...props} telling submitting={false} failure={null} onSubmit={props.onClose} />
}
