import type { Page } from '@playwright/test'

/** A keyboard that counts: a key pressed with a modifier is one, a pasted text too. */
export function countKeys(page: Page) {
  const { keyboard } = page
  let count = 0
  return {
    count: () => count,
    press: async (key: string) => {
      count += 1
      await keyboard.press(key)
    },
    type: async (text: string) => {
      count += [...text].length
      await keyboard.type(text)
    },
    /** A text of the clipboard, into what has the focus. */
    paste: async (text: string) => {
      count += 1
      await page.locator(':focus').evaluate((field, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', pasted)
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        if (field.dispatchEvent(event)) document.execCommand('insertText', false, pasted)
      }, text)
    },
  }
}
