"""Writes a model of the llama architecture with random weights: half a megabyte, written in a second, answers nonsense."""
import sys

import numpy as np
from gguf import GGUFWriter, TokenType

LAYERS, WIDTH, INNER, HEADS, CONTEXT = 2, 64, 128, 4, 131_072

SPECIAL = ["<unk>", "<s>", "</s>"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
SIGNS = ["▁"] + [chr(code) for code in range(33, 127)]
TOKENS = SPECIAL + BYTES + SIGNS
TYPES = (
    [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL]
    + [TokenType.BYTE] * len(BYTES)
    + [TokenType.NORMAL] * len(SIGNS)
)

writer = GGUFWriter(sys.argv[1], "llama")
writer.add_name("random")
writer.add_block_count(LAYERS)
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_feed_forward_length(INNER)
writer.add_head_count(HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_vocab_size(len(TOKENS))
writer.add_tokenizer_model("llama")
writer.add_token_list(TOKENS)
writer.add_token_scores([0.0] * len(TOKENS))
writer.add_token_types(TYPES)
writer.add_unk_token_id(0)
writer.add_bos_token_id(1)
writer.add_eos_token_id(2)

random = np.random.default_rng(1)


def weights(*shape: int) -> np.ndarray:
    return np.ones(shape) if len(shape) == 1 else random.normal(0, 0.02, shape)


def add(name: str, *shape: int) -> None:
    write(name, weights(*shape))


def write(name: str, values: np.ndarray) -> None:
    writer.add_tensor(f"{name}.weight", values.astype(np.float32))


# The first component of the hidden state is constant, so the first column of `output` acts as a bias. The bias excludes
# single bytes, which may be invalid UTF-8, and favors the ends of strings and lists.
embedding = weights(len(TOKENS), WIDTH)
embedding[:, 0] = 1
output = weights(len(TOKENS), WIDTH)
output[:, 0] = [-5 if token in BYTES else 0.2 if token in '"]' else 0 for token in TOKENS]

write("token_embd", embedding)
for layer in range(LAYERS):
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.{layer}.{name}", WIDTH, WIDTH)
    add(f"blk.{layer}.ffn_gate", INNER, WIDTH)
    add(f"blk.{layer}.ffn_up", INNER, WIDTH)
    add(f"blk.{layer}.ffn_down", WIDTH, INNER)
    add(f"blk.{layer}.attn_norm", WIDTH)
    add(f"blk.{layer}.ffn_norm", WIDTH)
add("output_norm", WIDTH)
write("output", output)

writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
