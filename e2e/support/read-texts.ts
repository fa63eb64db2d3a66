import type { Page } from '@playwright/test'

/**
 * What people are told within a place of the page, each piece once: the own text of every element and the attributes that
 * are read out. Keys of the keyboard, and what an element marked `data-raw` shows as somebody else wrote it, are left out.
 */
export const readTexts = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((within) => {
    const spoken = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']
    // An option with a label is read by it, whatever else it holds, and shown beside it.
    const isLabelled = (element: Element) => element.matches('[role="option"][aria-label]')
    const textsOf = (element: Element) => [
      (isLabelled(element) ? [] : [...element.childNodes])
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map(({ textContent }) => textContent ?? '')
        .join(''),
      ...spoken.map((name) => element.getAttribute(name) ?? ''),
    ]
    const elements = [...document.querySelectorAll(within)].flatMap((root) => [
      root,
      ...root.querySelectorAll('*'),
    ])
    const texts = elements
      .filter(
        (element) => element.closest('head, script, style, noscript, template, kbd, [data-raw]') === null,
      )
      .flatMap(textsOf)
    return [document.title, ...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))]
  }, within)
