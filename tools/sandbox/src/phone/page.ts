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

/** A small button that says what it is about to whoever cannot see where it stands. */
export function press(name: string, about: string, onPress: () => void): HTMLElement {
  const made = make('button', 'quiet small', name)
  made.ariaLabel = `${name} ${about}`
  made.addEventListener('click', onPress)
  return made
}

/** Fills a list of terms and what they say. */
export function showFacts(id: string, facts: readonly (readonly [term: string, value: string])[]): void {
  byId(id).replaceChildren(...facts.flatMap(([term, value]) => [make('dt', '', term), make('dd', '', value)]))
}
