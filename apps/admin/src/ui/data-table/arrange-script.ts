export const LAYOUT_PREFIX = 'meridian.table.'
export const ARRANGING = 'arranging'

/**
 * Runs before the first paint. The server does not know how this browser's operators arranged their lists, so a list
 * of which an arrangement is kept stays unseen until it has been applied (three seconds at most).
 */
export const arrangeScript = `;(()=>{try{
const names=Object.keys(localStorage).flatMap((k)=>k.startsWith('${LAYOUT_PREFIX}')?(/\\.([a-z]+)$/.exec(k)||[]).slice(1):[]);
if(!names.length)return;const s=document.createElement('style');s.id='${ARRANGING}';
s.textContent=names.map((n)=>'[data-list='+n+']').join()+'{visibility:hidden}';
document.head.append(s);setTimeout(()=>s.remove(),3000)}catch{}})()`
