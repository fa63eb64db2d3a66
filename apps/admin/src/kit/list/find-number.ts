type LoadReader = () => Promise<{ numberWithin: (text: string) => string }>

const loadReader: LoadReader = () => import('@meridian/contracts/number-within')

/**
 * What a list looks for of a text that somebody typed or pasted: the number in it where it is a message, else the text
 * itself. What reads messages is loaded once there is one, and without it the text is looked for as it stands.
 */
export async function findNumber(text: string, load = loadReader): Promise<string> {
  if (/^[\w-]*$/.test(text)) return text
  try {
    const { numberWithin } = await load()
    return numberWithin(text)
  } catch {
    return text
  }
}
