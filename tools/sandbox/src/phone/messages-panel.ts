import { byId, make } from './page.ts'
import { dayAndTime, text } from './texts.ts'

type Message = { data: Record<string, { value: string }>; at: string }

/** What WeChat has shown this user in the name of the mini-program, the newest first. */
export async function showMessages(user: string): Promise<void> {
  const response = await fetch('/phone/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
  }).catch(() => null)
  const messages: Message[] = response?.ok ? await response.json() : []
  byId('no-messages').hidden = messages.length > 0
  byId('messages').replaceChildren(
    ...messages
      .toReversed()
      .map(({ data, at }) =>
        make('li', 'message', [
          make('span', 'message-head', [
            make('b', '', text('serviceMessage')),
            make('span', '', dayAndTime(at)),
          ]),
          ...Object.values(data).map(({ value }) => make('span', '', value)),
        ]),
      ),
  )
}
