// What the API says in English only, in Chinese: why a paper failed, by the class of its error; why a task does not move; what a template's input is.

const TOLD: Record<string, string> = {
  unreadable: "无法读取其文本。",
  template_gone: "所用模板已不存在。",
  content_filtered: "模型或其内容过滤拒绝了此文献。",
  request_refused: "服务商拒绝了请求。",
  model_error: "模型处理此文献时出错。",
  model_fault: "模型的回答无法使用。",
  truncated: "回答超过了模型的输出上限。",
  too_much_work: "此文献的处理量超过任何论文：它过长，或被刻意制作得很慢。",
  too_long: "文献超过了模型的窗口。",
  engine_gone: "此部署已没有该引擎。",
  document_gone: "存储中已没有此文献。",
  document_changed: "文献已不是任务开始时的那一份。",
  attempts_spent: "已用完所有尝试次数。",
  deadline: "截止时间前未能处理，可重试。",
  mapping_disabled: "消息在排队，但没有交给任何处理程序：队列的触发器已停用。请联系管理员启用。",
  queue_not_consumed: "消息在排队，但无人取用，尽管队列的触发器已启用。请联系管理员检查处理函数的并发与权限。",
  concurrency_taken: "消息在排队：同时处理的数量已达上限，且其中没有此任务的。等其他任务完成即可；管理员可提高并发数。",
  messages_hidden: "消息已被取走、暂时不可见：某次尝试失败，或处理程序中断。会自动恢复；若持续如此，请联系管理员。",
  messages_lost: "队列中没有消息：此任务的消息已丢失，几分钟内会自动重发。若持续如此，请联系管理员。",
  assessedOutcome: "评价偏倚所针对的那一个结局及其时间点。",
  mainConfounder: "队列研究须控制此因素，才能得到可比性的第一颗星。",
  adequateFollowUp: "结局发生所需的随访时间，注明单位。",
};

export const told = (isChinese: boolean, name: string, english: string): string => (isChinese && TOLD[name]) || english;
