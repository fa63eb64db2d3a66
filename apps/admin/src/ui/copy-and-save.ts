/** The clipboard is closed to pages on plain http; a selected field still copies there. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  return copied
}

/** Puts the text on the clipboard; false when the browser does not let us. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Hands a file to the browser, as if a link to it had been pressed. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
