import { useEffect } from 'react'

/** A key (`KeyboardEvent.key`) and what it does. */
export type Hotkey = readonly [key: string, act: () => void]

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input:not([type="checkbox"]), textarea, select, [role="combobox"], [role="listbox"]') !==
      null)

const isDialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], dialog')].some((dialog) => dialog.checkVisibility())

/** Single keys for the whole page; silent while somebody types, holds a modifier or is in a dialog. */
export function useHotkeys(hotkeys: readonly Hotkey[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = hotkeys.find(([key]) => key === event.key)?.[1]
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isDialogOpen()) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [hotkeys])
}
