const service = '0000FFF0-0000-1000-8000-00805F9B34FB'
const proofCharacteristic = '0000FFF1-0000-1000-8000-00805F9B34FB'

const inHex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)).buffer

/** What the connected wearable answers to the server's question: HMAC-SHA-256 over its bytes. Adapt it to your radio. */
export function askWearable(deviceId: string, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    wx.onBLECharacteristicValueChange(({ characteristicId, value }) => {
      if (characteristicId === proofCharacteristic) resolve(inHex(value))
    })
    wx.writeBLECharacteristicValue({
      deviceId,
      serviceId: service,
      characteristicId: proofCharacteristic,
      value: fromHex(nonce),
      fail: ({ errMsg }) => reject(new Error(errMsg)),
    })
  })
}
