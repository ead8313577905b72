#!/usr/bin/env python3
"""Trains models/ms-marco-minilm-l12 further, and writes it as int8 ONNX. README.md tells with what data and what came of it.

  train GROUPS BASE OUT   fine-tunes BASE (model.onnx with tokenizer.json beside it)
  export WEIGHTS BASE OUT writes OUT as BASE's graph, with the weights quantised again

GROUPS is gzip'ed JSON lines {"q", "kind", "good", "passages"}: the first `good` passages answer the question, none of
the others does; with good = -1 nothing is known, and the logits of BASE are kept. Passages are as the service reads them:
"title > headings", a line feed, the text.

Needs torch, numpy, onnx and tokenizers (tried with 2.15.0, 2.4, 1.23.2 and 0.23.3).
"""
import argparse
import gzip
import json
import os
import random
import re

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

LAYERS, HIDDEN, HEADS, INNER, VOCABULARY, POSITIONS = 12, 384, 12, 1536, 30522, 512
MAX_TOKENS = 192
# Groups of one step, groups held out, and the tokens of one forward pass, padding included.
STEP_GROUPS, HELD_GROUPS, PASS_TOKENS = 8, 250, 2048
# These stay as they are, which saves a fifth of the work and keeps what rare words mean.
FROZEN = re.compile(r"embeddings\.|encoder\.layer\.[012]\.")
# Logits are divided by it in the softmax, where a null of logit 0 stands for "none of them".
TEMPERATURE = 2.0
# Weight of the squared difference from the base's logits.
KEEP_WEIGHT = 0.15
WARM_UP, LAST_RATE = 0.06, 0.02


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        dense = lambda a, b: nn.ModuleDict({"dense": nn.Linear(a, b)})
        normed = lambda a, b: nn.ModuleDict({"dense": nn.Linear(a, b), "LayerNorm": nn.LayerNorm(b, eps=1e-12)})
        heads = nn.ModuleDict({name: nn.Linear(HIDDEN, HIDDEN) for name in ("query", "key", "value")})
        self.attention = nn.ModuleDict({"self": heads, "output": normed(HIDDEN, HIDDEN)})
        self.intermediate, self.output = dense(HIDDEN, INNER), normed(INNER, HIDDEN)

    def forward(self, x, bias):
        own, out, size = self.attention["self"], self.attention["output"], HIDDEN // HEADS
        q, k, v = (own[name](x).unflatten(-1, (HEADS, size)).transpose(1, 2) for name in ("query", "key", "value"))
        seen = torch.softmax(q @ k.transpose(-1, -2) * size**-0.5 + bias, -1) @ v
        x = out["LayerNorm"](out["dense"](seen.transpose(1, 2).flatten(2)) + x)
        inner = nn.functional.gelu(self.intermediate["dense"](x))
        return self.output["LayerNorm"](self.output["dense"](inner) + x)


class CrossEncoder(nn.Module):
    """BERT with one logit; parameters are named as in the graph."""

    def __init__(self):
        super().__init__()
        table = {"word_embeddings": VOCABULARY, "position_embeddings": POSITIONS, "token_type_embeddings": 2}
        embeddings = nn.ModuleDict({name: nn.Embedding(rows, HIDDEN) for name, rows in table.items()})
        embeddings["LayerNorm"] = nn.LayerNorm(HIDDEN, eps=1e-12)
        encoder = nn.ModuleDict({"layer": nn.ModuleList([Layer() for _ in range(LAYERS)])})
        pooler = nn.ModuleDict({"dense": nn.Linear(HIDDEN, HIDDEN)})
        self.bert = nn.ModuleDict({"embeddings": embeddings, "encoder": encoder, "pooler": pooler})
        self.classifier = nn.Linear(HIDDEN, 1)

    def forward(self, ids, mask, types):
        own = self.bert["embeddings"]
        positions = own["position_embeddings"](torch.arange(ids.shape[1]))[None]
        x = own["LayerNorm"](own["word_embeddings"](ids) + own["token_type_embeddings"](types) + positions)
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.bert["encoder"]["layer"]:
            x = layer(x, bias)
        return self.classifier(torch.tanh(self.bert["pooler"]["dense"](x[:, 0])))[:, 0].float()


def parameter_of(node):
    """The parameter that a quantised product multiplies with."""
    return re.sub(r"\.(MatMul|Gemm_MatMul)_quant$", "", node.name.strip("/").replace("/", ".")) + ".weight"


def weights_of(path):
    """The float32 parameters of an int8 graph."""
    graph = onnx.load(path).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def plain(name):
        base = name[: -len("_quantized")]
        return (stored[name].astype(np.float32) - stored[base + "_zero_point"].astype(np.float32)) * stored[base + "_scale"]

    named = lambda name: name.startswith(("bert.", "classifier.")) and not name.endswith("_scale")
    weights = {name: value for name, value in stored.items() if named(name) and value.dtype == np.float32}
    weights |= {parameter_of(node): plain(node.input[1]).T for node in graph.node if node.op_type == "MatMulInteger"}
    weights |= {name[: -len("_quantized")]: plain(name) for name in stored if name.endswith("_quantized") and "embeddings" in name}
    return {name: torch.tensor(np.array(value, np.float32)) for name, value in weights.items()}


def model_of(weights):
    model = CrossEncoder()
    missing, unexpected = model.load_state_dict(weights, strict=False)
    if missing or unexpected:
        raise SystemExit(f"not the weights of this model: {missing + unexpected}")
    return model


def load_groups(path, tokenizer_path):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(tokenizer_path)
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    with gzip.open(path, "rt") as lines:
        groups = [json.loads(line) for line in lines]
    for group in groups:
        pairs = tokenizer.encode_batch([(group["q"], passage) for passage in group.pop("passages")])
        group["pairs"] = [(pair.ids, pair.type_ids) for pair in pairs]
    return groups


def padded_length(pair):
    return (len(pair[0]) + 7) // 8 * 8


def logits_of_batch(model, pairs):
    length = max(map(padded_length, pairs))
    ids, mask, types = (torch.zeros(len(pairs), length, dtype=torch.long) for _ in range(3))
    for row, (own, kinds) in enumerate(pairs):
        ids[row, : len(own)], types[row, : len(kinds)], mask[row, : len(own)] = torch.tensor(own), torch.tensor(kinds), 1
    return model(ids, mask, types)


def logits_of(model, groups):
    """The logits of each group. Pairs of like length go through the model together."""
    pairs = [pair for group in groups for pair in group["pairs"]]
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]))
    logits = [None] * len(pairs)
    while order:
        size = 1
        while size < len(order) and (size + 1) * padded_length(pairs[order[size]]) <= PASS_TOKENS:
            size += 1
        batch, order = order[:size], order[size:]
        for at, logit in zip(batch, logits_of_batch(model, [pairs[at] for at in batch])):
            logits[at] = logit
    return torch.stack(logits).split([len(group["pairs"]) for group in groups])


def loss_of(group, logits, base_logits):
    if group["good"] < 0:
        return KEEP_WEIGHT * ((logits - base_logits) ** 2).mean()
    shares = torch.log_softmax(torch.cat([logits, torch.zeros(1)]) / TEMPERATURE, 0)
    return -torch.logsumexp(shares[: group["good"]], 0) if group["good"] else -shares[-1]


def first_right(model, held):
    """Of the held-out groups with an answer, by kind: the share whose best passage is one."""
    right = {}
    with torch.no_grad():
        for at in range(0, len(held), STEP_GROUPS):
            part = held[at : at + STEP_GROUPS]
            for group, logits in zip(part, logits_of(model, part)):
                if group["good"] > 0:
                    right.setdefault(group["kind"], []).append(float(logits.argmax() < group["good"]))
    return {kind: round(sum(all_) / len(all_), 3) for kind, all_ in right.items()}


def train(args):
    """bfloat16, with float32 masters of what is trained; AdamW, a linear rise and fall of the rate."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    base_weights = weights_of(args.base)
    base = model_of(base_weights).to(torch.bfloat16).eval().requires_grad_(False)
    model = model_of(base_weights).to(torch.bfloat16)
    trained = [(name, own) for name, own in model.named_parameters() if not FROZEN.search(name)]
    for name, own in model.named_parameters():
        own.requires_grad_(not FROZEN.search(name))
    masters = [own.detach().float().clone() for _, own in trained]
    decayed, others = [m for m in masters if m.dim() > 1], [m for m in masters if m.dim() < 2]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}], lr=args.rate, betas=(0.9, 0.98))

    groups = load_groups(args.groups, os.path.join(os.path.dirname(args.base), "tokenizer.json"))
    order = random.Random(args.seed)
    order.shuffle(groups)
    held, groups = groups[:HELD_GROUPS], groups[HELD_GROUPS:]
    print("held out, best passage right:", first_right(model, held), flush=True)
    queue, losses = groups[:], []
    for step in range(args.steps):
        if len(queue) < STEP_GROUPS:
            queue = order.sample(groups, len(groups))
        part, queue = queue[:STEP_GROUPS], queue[STEP_GROUPS:]
        done = step / args.steps
        for own in optimizer.param_groups:
            own["lr"] = args.rate * (done / WARM_UP if done < WARM_UP else max(LAST_RATE, (1 - done) / (1 - WARM_UP)))
        with torch.no_grad():
            kept = iter(logits_of(base, [g for g in part if g["good"] < 0]) if any(g["good"] < 0 for g in part) else [])
        loss = sum(loss_of(g, logits, next(kept) if g["good"] < 0 else None) for g, logits in zip(part, logits_of(model, part))) / len(part)
        loss.backward()
        for (_, own), master in zip(trained, masters):
            master.grad, own.grad = own.grad.float(), None
        torch.nn.utils.clip_grad_norm_(masters, 1.0)
        optimizer.step()
        with torch.no_grad():
            for (_, own), master in zip(trained, masters):
                own.copy_(master)
        losses.append(loss.item())
        if (step + 1) % 50 == 0:
            print(f"step {step + 1} of {args.steps}, loss {np.mean(losses[-50:]):.3f}", flush=True)
    weights = {name: value.float() for name, value in model.state_dict().items()}
    torch.save(weights | {name: master for (name, _), master in zip(trained, masters)}, args.out)
    print("held out, best passage right:", first_right(model, held))


def export(args):
    """A scale for each column of a matrix: with one for all of it, logits of trained weights are off by 1.9 on average."""
    base, new = weights_of(args.base), torch.load(args.weights)
    model = onnx.load(args.base)
    graph, place = model.graph, {tensor.name: at for at, tensor in enumerate(model.graph.initializer)}
    changed = {name for name in base if not FROZEN.search(name) and not torch.equal(base[name], new[name])}

    def put(name, value):
        graph.initializer[place[name]].CopyFrom(numpy_helper.from_array(value, name))

    for node in graph.node:
        if node.op_type != "MatMulInteger" or parameter_of(node) not in changed:
            continue
        weight = new[parameter_of(node)].float().numpy().T
        scale = np.maximum(np.abs(weight).max(0) / 127, np.finfo(np.float32).tiny).astype(np.float32)
        if weight.shape[1] == 1:
            scale = scale.reshape(())
        name, zero = node.input[1], np.zeros_like(scale, dtype=np.int8)
        put(name, np.clip(np.rint(weight / scale), -127, 127).astype(np.int8))
        put(name[: -len("_quantized")] + "_scale", scale)
        put(name[: -len("_quantized")] + "_zero_point", zero)
    for name in changed & place.keys():
        stored = numpy_helper.to_array(graph.initializer[place[name]])
        put(name, new[name].float().numpy().reshape(stored.shape))
    onnx.save(model, args.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("train")
    command.set_defaults(run=train)
    for name in ("groups", "base", "out"):
        command.add_argument(name)
    command.add_argument("--steps", type=int, required=True)
    command.add_argument("--rate", type=float, required=True, help="the highest learning rate")
    command.add_argument("--seed", type=int, default=11, help="of what is held out and in which order groups come")
    command.add_argument("--threads", type=int, default=2)
    command = commands.add_parser("export")
    command.set_defaults(run=export)
    for name in ("weights", "base", "out"):
        command.add_argument(name)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
