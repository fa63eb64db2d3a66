const service = '0000FFF0-0000-1000-8000-00805F9B34FB'
const proofCharacteristic = '0000FFF1-0000-1000-8000-00805F9B34FB'

type Failing = { fail: (failure: { errMsg: string }) => void }
/** The part of `wx` that speaks to the connected wearable. */
export type Radio = {
  onBLECharacteristicValueChange(
    listen: (change: { characteristicId: string; value: ArrayBuffer }) => void,
  ): void
  writeBLECharacteristicValue(
    option: Failing & { deviceId: string; serviceId: string; characteristicId: string; value: ArrayBuffer },
  ): unknown
}

const inHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
/** A nonce is 64 ASCII characters; the wearable signs them as they are written, not the bytes they stand for. */
const asWritten = (nonce: string) => Uint8Array.from(nonce, (letter) => letter.charCodeAt(0)).buffer

/** What the connected wearable answers to the server's question: HMAC-SHA-256 over its text. Adapt it to your radio. */
export function askWearable(radio: Radio, deviceId: string, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    radio.onBLECharacteristicValueChange(({ characteristicId, value }) => {
      if (characteristicId === proofCharacteristic) resolve(inHex(value))
    })
    radio.writeBLECharacteristicValue({
      deviceId,
      serviceId: service,
      characteristicId: proofCharacteristic,
      value: asWritten(nonce),
      fail: ({ errMsg }) => reject(new Error(errMsg)),
    })
  })
}
