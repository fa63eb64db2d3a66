/** An element that index.html promises to have. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`index.html has no #${id}`)
  return element
}

export function make(tag: string, className: string, content: string | Node[] = []): HTMLElement {
  const element = document.createElement(tag)
  if (className !== '') element.className = className
  element.append(...(typeof content === 'string' ? [content] : content))
  return element
}

/** Shows a dialog inside the phone: what lies behind it cannot be reached, and the focus comes back afterwards. */
export function openDialog(dialog: HTMLElement, first: HTMLElement): () => void {
  const before = document.activeElement
  byId('behind').inert = true
  dialog.hidden = false
  first.focus({ preventScroll: true })
  return () => {
    dialog.hidden = true
    byId('behind').inert = false
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
