import { byId } from './page.ts'

const namesKey = 'users'
const currentKey = 'user'

function userNames(): string[] {
  const stored = localStorage.getItem(namesKey)
  return stored === null ? ['小林', '小周'] : stored.split('\n')
}

function addUser(): string {
  const names = userNames()
  const name = `${names.length + 1}`
  localStorage.setItem(namesKey, [...names, name].join('\n'))
  return name
}

function chooseUser(name: string): void {
  localStorage.setItem(currentKey, name)
}

/** The user who holds the phone. */
export const currentUser = (): string => localStorage.getItem(currentKey) ?? userNames()[0] ?? ''

/** Whether the mini-program keeps tokens for this user: who never logged in is asked to. */
export const isLoggedIn = (name: string): boolean => localStorage.getItem(`meridian.tokens:${name}`) !== null

/** Shows who holds the phone, under these names. */
export function showUsers(nameOf: (user: string) => string): void {
  const holder = currentUser()
  const options = userNames().map((name) => new Option(nameOf(name), name, false, name === holder))
  byId('user').replaceChildren(...options)
}

/** Hands the phone to another: as their phone, the page begins anew. */
export function watchUsers(): void {
  const handTo = (name: string) => {
    chooseUser(name)
    location.reload()
  }
  byId('new-user').addEventListener('click', () => handTo(addUser()))
  byId('user').addEventListener('change', (event) => {
    if (event.target instanceof HTMLSelectElement) handTo(event.target.value)
  })
}
