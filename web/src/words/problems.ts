// What the API refuses with, for people: by the problem's kind. In Chinese each kind has a sentence; in English the API's own words
// are said, except where they speak to programs.

const CHINESE: Record<string, string> = {
  "invalid-request": "请求中有一项不符合要求。",
  forbidden: "您没有权限进行此操作。",
  "not-found": "没有找到：可能已被删除、已过期，或属于其他项目。",
  "method-not-allowed": "此处不能这样操作。",
  "idempotency-key-reused": "这个请求与先前的另一个请求冲突，请重新操作。",
  "task-deleted": "该任务已被删除。",
  "template-built-in": "内置模板不能修改或删除，请先复制一份。",
  "template-changed": "模板已有更新的版本。请查看新版本后再修改。",
  "documents-not-ready": "有文献尚未读完或无法读取。请稍后再试，或不选这些文献。",
  "document-under-way": "该文献正在上传或读取，请稍候几秒。",
  "document-not-there": "文件没有上传成功，请重新上传。",
  "base-deleted": "该知识库已被删除；恢复知识库后，其中的文献也会恢复。",
  "too-fast": "读取过于频繁，请稍候，页面会自动继续。",
  "undo-over": "删除时间已超过可恢复的期限，请重新上传。",
  "document-there": "同一文件已重新上传过。",
  "limit-reached": "已达到此项目的数量上限，请先删除不再需要的内容。",
  "decided-meanwhile": "在此期间已有人对此单元格作出决定，请查看双方的决定后再定。",
  "not-ready": "此工作簿尚未就绪；其状态会说明进度。",
  "read-again": "清理后的表已缺失，正在重新生成。请稍候再试。",
  "session-over": "此幂等键对应的数据表已删除或过期。请使用新的键。",
  "stale-version": "在此期间已有人保存了此数据表，或另一次保存仍在进行。您的更改仍保留在此。",
  "row-not-completed": "此文献尚未提取完成，无法核实。",
  "task-open": "任务仍在运行，请等待其结束或先取消。",
  "task-closed": "任务已结束或正在取消，不能再更改。",
  "budget-reached": "任务的预算已用完。",
  "text-stays-inside": "此项目不允许文献文本离开本账户，而所选引擎在账户之外。请另选引擎，或请编辑者更改项目设置。",
  "no-provider": "此任务由内置规则读取，没有可重试的模型服务商。",
  "no-export": "此任务的表格不能导出为文件。",
  "nothing-to-retry": "所有文献都已完成，无需重试。",
  "retried-before": "此任务已被重试过，请打开最新的一次。",
  "too-much": "此项目同时进行的任务或文献已达上限，或当日用量已用完。请等待其他任务结束后再试。",
  internal: "服务出错，原因已记录。请重试一次；若仍出错，请联系管理员。",
  "try-again": "服务繁忙，请稍后再试；不会重复执行。",
};
const ENGLISH: Record<string, string> = {
  internal: "Something went wrong in the service; it is in its log. Try once more, and tell whoever runs Sheaf if it stays.",
  "try-again": "The service is busy. Try again in a moment: nothing is done twice.",
};

/** In the language that is spoken; the API's own words where there are no better ones. */
export const refused = (isChinese: boolean, kind: string, detail: string): string => (isChinese ? CHINESE : ENGLISH)[kind] ?? detail;
