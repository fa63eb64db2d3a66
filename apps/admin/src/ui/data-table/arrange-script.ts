export const LAYOUT_PREFIX = 'meridian.table.'

/**
 * Runs before the first paint. The server does not know how this browser's operators arranged their lists, so where
 * any is kept, lists stay unseen until they have been arranged (three seconds at most).
 */
export const arrangeScript = `;(()=>{const r=document.documentElement;try{
if(Object.keys(localStorage).some((k)=>k.startsWith('${LAYOUT_PREFIX}'))){r.dataset.arranging='';
setTimeout(()=>{delete r.dataset.arranging},3000)}}catch{}})()`
