import { byId } from './page.ts'

const tabs = ['shop', 'care', 'reports'] as const
export type Tab = (typeof tabs)[number]

const isTab = (name: string | null): name is Tab => tabs.some((tab) => tab === name)

const buttons = () => [...byId('tabs').querySelectorAll('button')]

/** Shows one page of the mini-program; what is paid at its foot belongs to the shop. */
export function showTab(wanted: Tab): void {
  for (const tab of tabs) byId(`screen-${tab}`).hidden = tab !== wanted
  byId('paybar').hidden = wanted !== 'shop'
  for (const button of buttons())
    if (button.dataset['tab'] === wanted) button.ariaCurrent = 'page'
    else button.ariaCurrent = null
}

/** What happens when somebody changes the page of the mini-program. */
export function watchTabs(onChange: (tab: Tab) => void): void {
  for (const button of buttons()) {
    const tab = button.dataset['tab'] ?? null
    if (isTab(tab))
      button.addEventListener('click', () => {
        showTab(tab)
        onChange(tab)
      })
  }
}
